"""The games, each a folder behind `protocol.Game`, independent of each other and of the platform."""
