"""Drawings of a program: its automaton and its deployment, as Mermaid or Graphviz DOT.  No layout of our own."""
