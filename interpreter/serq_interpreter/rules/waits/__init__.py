"""Rules about progress (SQ11xx): who may wait for ever, and for what.  They read the kernel of a program without errors."""
