"""Methods: how to change a table so that a promise holds at the least loss."""
