"""The job on the local cloud, which has no EMR Serverless: a queue asks whoever has begun the run to do this step."""

from typing import Final

from aws_cdk import CfnOutput
from aws_cdk.aws_iam import PolicyStatement, Role
from aws_cdk.aws_sqs import Queue
from constructs import Construct

from infra.batch.states import States

# For a table that fits onto a laptop.
SECONDS: Final = 15 * 60


class LocalJob(Construct):
    """The queue, and the state that waits until somebody has done what its message says."""

    def __init__(self, scope: Construct, construct_id: str) -> None:
        super().__init__(scope, construct_id)
        self._queue = Queue(self, "queue")
        CfnOutput(scope, "JobQueueUrl", value=self._queue.queue_url)

    def states(self) -> States:
        """`Job`; nobody bills it."""
        told = {
            "token": "{% $states.context.Task.Token %}",
            "execution": "{% $states.context.Execution.Id %}",
            "run": "{% $run %}",
        }
        return {
            "Job": {
                "Type": "Task",
                "Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken",
                "Arguments": {"QueueUrl": self._queue.queue_url, "MessageBody": told},
                "TimeoutSeconds": SECONDS,
                "Assign": {"billed": {}},
            }
        }

    def let(self, role: Role) -> None:
        """Allow the machine's role to ask."""
        role.add_to_policy(PolicyStatement(actions=["sqs:SendMessage"], resources=[self._queue.queue_arn]))
