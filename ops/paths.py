"""The paths of the local tools. What they download and write is in one folder that git ignores."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOCAL = (ROOT / ".local").resolve()
CLOUD_PYTHON = ROOT / ".venv-cloud" / "bin" / "python"
SPARK_PYTHON = ROOT / ".venv-spark" / "bin" / "python"
WEB = ROOT / "web"
VITE = WEB / "node_modules" / ".bin" / "vite"
CDK = ROOT / "node_modules" / ".bin" / "cdk"
