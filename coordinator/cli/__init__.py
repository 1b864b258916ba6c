"""The grammar of the command line, one file per command, and the painters."""
