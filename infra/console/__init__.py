"""The console on a stage: its page in a bucket, and CloudFront, which serves page and API under one origin."""
