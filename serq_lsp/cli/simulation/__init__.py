"""Running programs from the command line: engines, replications, grids."""
