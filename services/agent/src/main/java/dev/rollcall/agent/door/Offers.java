package dev.rollcall.agent.door;

import dev.rollcall.agent.event.JobsOffered;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobState;
import dev.rollcall.proto.door.v1.DoorOutcome;
import dev.rollcall.proto.door.v1.DoorReply;
import dev.rollcall.proto.door.v1.OfferedJob;
import io.vertx.core.buffer.Buffer;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/** Writes the jobs between which a user may choose. */
final class Offers {
  // The bound of door.options.
  private static final int MOST = 16;

  /** As squeue has it, by the node's own clock. */
  private static final DateTimeFormatter STARTED =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm").withZone(ZoneId.systemDefault());

  private Offers() {}

  /** Of more jobs than fit, the newest. */
  static Buffer write(JobsOffered offered) {
    DoorReply.Builder reply = DoorReply.newBuilder().setOutcome(DoorOutcome.DOOR_OUTCOME_CHOOSE);
    offered.newestFirst().stream()
        .limit(MOST)
        .forEach(job ->
            reply.addOfferedJobs(
                OfferedJob.newBuilder().setJobId(job.id().number()).setWords(words(job))));
    return Frame.of(reply.build().toByteArray());
  }

  private static String words(Job job) {
    String since = "since " + STARTED.format(job.startedAt());
    return job.state() == JobState.SUSPENDED ? since + ", suspended" : since;
  }
}
