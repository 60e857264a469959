"""Rules of AWS IoT Core that bring readings of things by MQTT."""
