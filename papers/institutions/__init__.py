"""The pages of institutions. They list papers, so they are here: institutions themselves know of none."""
