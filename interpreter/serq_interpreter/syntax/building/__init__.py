"""From productions to nodes."""
