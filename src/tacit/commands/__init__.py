"""Commands: groups of commands that the command line takes in, each in a module of its own."""
