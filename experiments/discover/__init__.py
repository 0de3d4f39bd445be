"""The experiments of DISCO and DSDD."""
