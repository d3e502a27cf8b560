"""What the server answers at each of its addresses, and what it takes from a request."""
