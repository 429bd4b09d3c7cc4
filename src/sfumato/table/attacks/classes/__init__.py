"""What those who look alike tell: what attacks on classes share."""
