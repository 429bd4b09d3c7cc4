"""Records of nobody."""
