"""Routes from a project's code: one file per framework, `dispatch` decides which are asked."""
