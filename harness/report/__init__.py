"""Owns the report: a folder of pages that open from disk, made of the log alone; plays and judges nothing."""
