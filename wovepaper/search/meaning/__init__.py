"""Nearness in meaning: texts to vectors, learnt from the catalogue itself. It knows no paper and no database."""
