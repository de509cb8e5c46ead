package dev.rollcall.agent.login.socket;

import dev.rollcall.agent.event.LoginOutcome;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobState;
import dev.rollcall.model.NamespaceType;
import dev.rollcall.model.allocation.Rlimit;
import dev.rollcall.model.allocation.ValueParts;
import dev.rollcall.proto.loginsocket.v1.EnvironmentVariable;
import dev.rollcall.proto.loginsocket.v1.LoginReply;
import dev.rollcall.proto.loginsocket.v1.NamespaceKind;
import dev.rollcall.proto.loginsocket.v1.OfferedJob;
import dev.rollcall.proto.loginsocket.v1.ReplyOutcome;
import dev.rollcall.proto.loginsocket.v1.SessionRlimit;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Writes replies within the bounds of login_socket.options, which the module's buffers have. */
final class ReplyWriter {
  // Each bound of login_socket.options counts a closing zero.
  private static final int MESSAGE = 255;
  private static final int NAME = 127;
  private static final int DETAIL = 255;
  private static final int VARIABLES = 48;
  private static final int OFFERED_JOBS = 16;

  /** The format of squeue, in the node's time zone. */
  private static final DateTimeFormatter STARTED =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm").withZone(ZoneId.systemDefault());

  /** The bytes of a variable besides its texts: its tag and length, and those of both texts. */
  private static final int AROUND_A_VARIABLE = 8;

  /** All but the variables fits the difference to {@link Frame#LONGEST_REPLY}. */
  private static final int ALL_VARIABLES = 30_000;

  /**
   * A reply that fits.
   *
   * @param leftOut variables that did not fit: too long, or too many before them
   */
  record Written(Buffer frame, List<String> leftOut) {}

  private ReplyWriter() {}

  static Written write(LoginOutcome outcome) {
    return switch (outcome) {
      case LoginOutcome.Adopted adopted -> adopted(adopted);
      case LoginOutcome.Decided other -> whole(decided(other));
      case LoginOutcome.JobsOffered(List<Job> newestFirst) -> whole(offer(newestFirst));
      case LoginOutcome.Join join -> whole(join(join));
    };
  }

  private static Written whole(LoginReply.Builder reply) {
    return new Written(Frame.of(reply.build().toByteArray()), List.of());
  }

  private static LoginReply.Builder decided(LoginOutcome.Decided outcome) {
    return LoginReply.newBuilder()
        .setOutcome(outcome(outcome))
        .setMessage(cut(outcome.message(), MESSAGE))
        .setAdoptionId(outcome.adoptionId())
        .setReason(outcome.reason().word());
  }

  /** The descriptors of its namespaces go beside the frame, in their order; at most 8. */
  private static Written adopted(LoginOutcome.Adopted adopted) {
    LoginReply.Builder reply =
        decided(adopted)
            .setJobId(adopted.job().number())
            .setCgroupHierarchy(adopted.hierarchy())
            .setCgroupPath(adopted.cgroup());
    adopted.setup().gid().ifPresent(reply::setGid);
    adopted.setup().rlimits().forEach(rlimit -> reply.addRlimits(rlimit(rlimit)));
    adopted
        .namespaces()
        .inOrder()
        .forEach(namespace -> reply.addNamespaces(kind(namespace.kind())));
    List<String> leftOut = addVariables(adopted.setup().environment(), reply);
    return new Written(Frame.of(reply.build().toByteArray()), leftOut);
  }

  private static LoginReply.Builder join(LoginOutcome.Join join) {
    return LoginReply.newBuilder()
        .setOutcome(ReplyOutcome.REPLY_OUTCOME_JOIN)
        .setJobId(join.job().number())
        .setAdoptionId(join.adoptionId())
        .setReason(join.reason().word())
        .setDetail(cut(join.doubt(), DETAIL));
  }

  /** Offers the newest jobs, as many as fit. */
  private static LoginReply.Builder offer(List<Job> newestFirst) {
    LoginReply.Builder reply =
        LoginReply.newBuilder().setOutcome(ReplyOutcome.REPLY_OUTCOME_CHOOSE);
    newestFirst.stream()
        .limit(OFFERED_JOBS)
        .forEach(job ->
            reply.addOfferedJobs(
                OfferedJob.newBuilder().setJobId(job.id().number()).setWords(words(job))));
    return reply;
  }

  private static String words(Job job) {
    String since = "since " + STARTED.format(job.startedAt());
    return job.state() == JobState.SUSPENDED ? since + ", suspended" : since;
  }

  /** A value is never cut: half a list of hosts would be believed. */
  private static List<String> addVariables(
      Map<String, String> environment, LoginReply.Builder reply) {
    List<String> leftOut = new ArrayList<>();
    int taken = 0;
    for (var variable : environment.entrySet()) {
      int value = variable.getValue().getBytes(StandardCharsets.UTF_8).length;
      int name = variable.getKey().getBytes(StandardCharsets.UTF_8).length;
      List<String> parts = ValueParts.of(variable.getValue());
      int size = name + value + AROUND_A_VARIABLE * parts.size();
      boolean fits =
          name <= NAME
              && value <= ValueParts.LONGEST_VALUE
              && reply.getEnvironmentCount() + parts.size() <= VARIABLES
              && taken + size <= ALL_VARIABLES;
      if (fits) {
        taken += size;
        String first = variable.getKey();
        for (String part : parts) {
          reply.addEnvironment(EnvironmentVariable.newBuilder().setName(first).setValue(part));
          first = "";
        }
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

  private static NamespaceKind kind(NamespaceType kind) {
    return switch (kind) {
      case MOUNT -> NamespaceKind.NAMESPACE_KIND_MOUNT;
      case PID -> NamespaceKind.NAMESPACE_KIND_PID;
      case USER -> NamespaceKind.NAMESPACE_KIND_USER;
      case NET -> NamespaceKind.NAMESPACE_KIND_NETWORK;
      case IPC -> NamespaceKind.NAMESPACE_KIND_IPC;
      case UTS -> NamespaceKind.NAMESPACE_KIND_UTS;
      case CGROUP -> NamespaceKind.NAMESPACE_KIND_CGROUP;
    };
  }

  private static ReplyOutcome outcome(LoginOutcome.Decided decided) {
    return switch (decided.outcome()) {
      case ADOPTED -> ReplyOutcome.REPLY_OUTCOME_ADOPTED;
      case ALLOWED -> ReplyOutcome.REPLY_OUTCOME_ALLOWED;
      case DENIED -> ReplyOutcome.REPLY_OUTCOME_DENIED;
      case STEPPED_ASIDE -> ReplyOutcome.REPLY_OUTCOME_STEP_ASIDE;
      case FAILED -> ReplyOutcome.REPLY_OUTCOME_FAILED;
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
