"""What pages and files say: pure functions on bytes. Knows no socket, no file, no strategy."""
