package dev.rollcall.agent.door;

import dev.rollcall.agent.event.DoorAnswer;
import dev.rollcall.proto.door.v1.DoorOutcome;
import dev.rollcall.proto.door.v1.DoorReply;
import dev.rollcall.proto.door.v1.EnvironmentVariable;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;

/** Writes replies within the bounds of door.options, which the module's buffers have. */
final class Replies {
  // Each bound of door.options counts a closing zero.
  private static final int MESSAGE = 255;
  private static final int CGROUP = 511;
  private static final int NAME = 63;
  private static final int VALUE = 255;
  private static final int VARIABLES = 8;

  private Replies() {}

  static Buffer frame(DoorAnswer answer) {
    DoorReply.Builder reply =
        DoorReply.newBuilder()
            .setOutcome(outcome(answer.outcome()))
            .setMessage(cut(answer.message(), MESSAGE))
            .setCgroupHierarchy(answer.hierarchy())
            .setAdoptionId(answer.adoptionId())
            .setReason(answer.reason());
    if (answer.cgroup().getBytes(StandardCharsets.UTF_8).length > CGROUP) {
      // Half a path would fail the module's own check in a way that nobody understands.
      return frame(DoorAnswer.failed("the job's cgroup path is longer than " + CGROUP + " bytes"));
    }
    reply.setCgroupPath(answer.cgroup());
    answer.job().ifPresent(job -> reply.setJobId(job.number()));
    answer.environment().entrySet().stream()
        .filter(variable -> variable.getKey().length() <= NAME)
        .limit(VARIABLES)
        .forEach(variable ->
            reply.addEnvironment(
                EnvironmentVariable.newBuilder()
                    .setName(variable.getKey())
                    .setValue(cut(variable.getValue(), VALUE))));
    return Frame.of(reply.build().toByteArray());
  }

  private static DoorOutcome outcome(DoorAnswer.Outcome outcome) {
    return switch (outcome) {
      case ADOPTED -> DoorOutcome.DOOR_OUTCOME_ADOPTED;
      case ALLOWED -> DoorOutcome.DOOR_OUTCOME_ALLOWED;
      case DENIED -> DoorOutcome.DOOR_OUTCOME_DENIED;
      case STEP_ASIDE -> DoorOutcome.DOOR_OUTCOME_STEP_ASIDE;
      case FAILED -> DoorOutcome.DOOR_OUTCOME_FAILED;
    };
  }

  /** The longest beginning that fits, in whole characters. */
  static String cut(String text, int bytes) {
    int used = 0;
    int end = 0;
    while (end < text.length()) {
      int character = text.codePointAt(end);
      used += character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
      if (used > bytes) {
        break;
      }
      end += Character.charCount(character);
    }
    return text.substring(0, end);
  }
}
