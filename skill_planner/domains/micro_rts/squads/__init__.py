"""A second library of skills for MicroRTS: squads, standing orders, and lines that depend on conditions."""
