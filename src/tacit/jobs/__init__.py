"""Jobs: what the command line and, later, the web app ask for. One job, one result, nothing printed."""
