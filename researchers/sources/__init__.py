"""What other catalogues say of researchers, as values: fetched and parsed here, saved elsewhere."""
