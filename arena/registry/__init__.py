"""Names: bots and games by spec string, and the plug-ins that bring more of both."""
