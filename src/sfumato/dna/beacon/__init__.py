"""A Beacon: is there anybody with this allele?"""
