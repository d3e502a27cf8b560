"""Searches that run beside a world model inside a sealed worker: each file here is sent as source."""
