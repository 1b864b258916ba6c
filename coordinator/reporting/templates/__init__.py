"""Templates as package data; `coordinator.reporting.markup` fills them."""
