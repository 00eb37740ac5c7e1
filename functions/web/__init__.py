"""Every page and action of the site."""
