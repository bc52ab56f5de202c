"""Owns the version of the package; imports nothing, so that importing one room loads no other."""

__version__ = "0.1.0"
