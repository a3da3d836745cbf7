"""From text to findings and to the kernel: the front end as one function of a text."""
