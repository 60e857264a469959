"""Every order in which the requests of a few actors can reach the table, up to a bound, as model checkers do it.

The actors run the program itself. Nothing of a running function can be copied, but what it does next follows from the
answers it was given; so a place in a program is the list of its answers, and is reached by running it on them anew.
"""
