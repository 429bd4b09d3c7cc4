"""The parts of the optimal lattice search.

``shape``       the lattice itself: nodes as level vectors and as positions in one array
``coding``      cells as integer keys in which every column has its own bits
``grouping``    classes of a node, rolled up from the smallest node below it that is known
``ruled``       the same for any rules: sensitive values rolled up too, and judged
``incumbent``   the best node so far, and how ties are broken
``exhaustive``  the search that holds one bound for every node of the lattice
``witness``     rare cells that refute many nodes at once when nothing may be suppressed
``boxes``       best-first branch and bound for lattices too large to hold
``outcome``     the chosen node as a solution, or why there is none
"""
