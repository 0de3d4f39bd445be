"""What people ask for, put together from strategies, webs and run folders."""
