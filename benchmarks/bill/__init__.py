"""What a month of telemetry costs: measured units, one table of prices, and a bill (`make cost`)."""
