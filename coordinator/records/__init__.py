"""The files that a project's folder holds, one module per format; each write is atomic."""
