"""A whole duel by correspondence, played by two scripts through HTTP and mail links, on a fast clock."""
