package dev.rollcall.agent.door;

import dev.rollcall.agent.event.DoorAnswer;
import dev.rollcall.model.allocation.Rlimit;
import dev.rollcall.port.JobNamespaces;
import dev.rollcall.port.JobNamespaces.Namespace;
import dev.rollcall.proto.door.v1.DoorOutcome;
import dev.rollcall.proto.door.v1.DoorReply;
import dev.rollcall.proto.door.v1.EnvironmentVariable;
import dev.rollcall.proto.door.v1.NamespaceKind;
import dev.rollcall.proto.door.v1.SessionRlimit;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Writes replies within the bounds of door.options, which the module's buffers have. */
final class Replies {
  // Each bound of door.options counts a closing zero.
  private static final int MESSAGE = 255;
  private static final int CGROUP = 511;
  private static final int NAME = 127;
  private static final int VALUE = 1_024;
  private static final int VARIABLES = 48;

  /** Of a variable in a message: its own tag and length, and those of its two texts. */
  private static final int AROUND_A_VARIABLE = 8;

  /** All but the variables fits the difference to {@link Frame#LONGEST_REPLY}. */
  private static final int ALL_VARIABLES = 30_000;

  /**
   * A reply that fits.
   *
   * @param leftOut variables that did not fit: too long, or too many before them
   */
  record Written(Buffer frame, List<String> leftOut) {}

  private Replies() {}

  /** For an answer with which no namespace goes. */
  static Written write(DoorAnswer answer) {
    return write(answer, List.of());
  }

  /**
   * @param namespaces whose descriptors go beside the frame, in this order; at most 8
   */
  static Written write(DoorAnswer answer, List<Namespace> namespaces) {
    if (answer.cgroup().getBytes(StandardCharsets.UTF_8).length > CGROUP) {
      // Half a path would fail the module's own check in a way that nobody understands.
      return write(DoorAnswer.failed("the job's cgroup path is longer than " + CGROUP + " bytes"));
    }
    DoorReply.Builder reply =
        DoorReply.newBuilder()
            .setOutcome(outcome(answer.outcome()))
            .setMessage(cut(answer.message(), MESSAGE))
            .setCgroupHierarchy(answer.hierarchy())
            .setCgroupPath(answer.cgroup())
            .setAdoptionId(answer.adoptionId())
            .setReason(answer.reason());
    answer.job().ifPresent(job -> reply.setJobId(job.number()));
    answer.gifts().gid().ifPresent(reply::setGid);
    answer.gifts().rlimits().forEach(rlimit -> reply.addRlimits(rlimit(rlimit)));
    namespaces.forEach(namespace -> reply.addNamespaces(kind(namespace.kind())));
    List<String> leftOut = addVariables(answer, reply);
    return new Written(Frame.of(reply.build().toByteArray()), leftOut);
  }

  /** A value is never cut: half a list of hosts would be believed. */
  private static List<String> addVariables(DoorAnswer answer, DoorReply.Builder reply) {
    List<String> leftOut = new ArrayList<>();
    int taken = 0;
    for (var variable : answer.gifts().environment().entrySet()) {
      int value = variable.getValue().getBytes(StandardCharsets.UTF_8).length;
      int name = variable.getKey().getBytes(StandardCharsets.UTF_8).length;
      int size = name + value + AROUND_A_VARIABLE;
      boolean fits =
          name <= NAME
              && value <= VALUE
              && reply.getEnvironmentCount() < VARIABLES
              && taken + size <= ALL_VARIABLES;
      if (fits) {
        taken += size;
        reply.addEnvironment(
            EnvironmentVariable.newBuilder()
                .setName(variable.getKey())
                .setValue(variable.getValue()));
      } else {
        leftOut.add(variable.getKey());
      }
    }
    return leftOut;
  }

  /** RLIM_INFINITY and {@link Rlimit#UNLIMITED} are the same 64 bits. */
  private static SessionRlimit rlimit(Rlimit rlimit) {
    return SessionRlimit.newBuilder()
        .setResource(rlimit.resource().number())
        .setSoft(rlimit.soft())
        .setHard(rlimit.hard())
        .build();
  }

  private static NamespaceKind kind(JobNamespaces.Kind kind) {
    return switch (kind) {
      case MOUNT -> NamespaceKind.NAMESPACE_KIND_MOUNT;
      case PID -> NamespaceKind.NAMESPACE_KIND_PID;
      case USER -> NamespaceKind.NAMESPACE_KIND_USER;
      case NETWORK -> NamespaceKind.NAMESPACE_KIND_NETWORK;
      case IPC -> NamespaceKind.NAMESPACE_KIND_IPC;
      case UTS -> NamespaceKind.NAMESPACE_KIND_UTS;
      case CGROUP -> NamespaceKind.NAMESPACE_KIND_CGROUP;
    };
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
