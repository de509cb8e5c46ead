package dev.rollcall.cli.ask;

import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobLabel;
import dev.rollcall.proto.v1.Job;
import dev.rollcall.proto.v1.JobState;
import dev.rollcall.proto.v1.ListRequest;
import dev.rollcall.wire.CallerMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * Finds the job that a word of a user names: a number, an id as the batch system lists it ({@code
 * 62_1}, {@code 64+1}, {@code 901[3]}), {@code latest}, or {@code name-NAME}. A step or a server
 * behind a dot is ignored.
 */
public final class JobWord {
  private static final String LATEST = "latest";
  private static final String NAMED = "name-";

  /** Stands for a job that is looked up before the command runs. */
  private static final JobId NOT_YET = new JobId(JobId.LARGEST);

  private static final Comparator<Job> OLDEST_FIRST =
      Comparator.comparing((Job job) -> CallerMapper.instant(job.getStartedAt(), "job.started_at"))
          .thenComparingLong(Job::getJobId);

  private JobWord() {}

  /**
   * Reads a word, without asking anybody.
   *
   * @throws IllegalArgumentException if it names no job
   */
  public static JobId parse(String word) {
    return isLookedUp(word) ? NOT_YET : JobId.parse(base(word));
  }

  /** Sets the arguments of a command that need an answer to what they mean. */
  public static void lookUp(ParseResult parsed) {
    if (parsed.isUsageHelpRequested()) {
      return;
    }
    if (parsed.hasSubcommand()) {
      lookUp(parsed.subcommand());
      return;
    }
    for (ArgSpec argument : parsed.matchedArgs()) {
      List<String> words = argument.originalStringValues();
      if (argument.type() == JobId.class && words.stream().anyMatch(JobWord::isLookedUp)) {
        argument.setValue(find(target(parsed.commandSpec()), words.getFirst()));
      }
    }
  }

  private static TargetOptions target(CommandSpec command) {
    return command.mixins().values().stream()
        .map(CommandSpec::userObject)
        .filter(TargetOptions.class::isInstance)
        .map(TargetOptions.class::cast)
        .findFirst()
        .orElseThrow(() -> CommandFailure.usage("this command needs the number of the job"));
  }

  /**
   * Finds the job of a word, of several with a name the newest.
   *
   * @throws IllegalArgumentException if it is no such word
   * @throws CommandFailure if it names no job, or several
   */
  public static JobId find(TargetOptions asking, String word) {
    if (!isLookedUp(word)) {
      return parse(word);
    }
    boolean byId = JobLabel.isBatchId(base(word));
    ListRequest.Builder request = ListRequest.newBuilder();
    if (!byId) {
      request.setUid(ownUid());
    }
    List<Long> found =
        asking.ask(channel -> Pages.jobs(channel, request)).stream()
            .filter(job -> byId ? job.getBatchId().equals(base(word)) : isNamed(job, word))
            .sorted(OLDEST_FIRST)
            .map(Job::getJobId)
            .distinct()
            .toList();
    if (found.isEmpty()) {
      throw new CommandFailure(
          ExitCode.NOT_FOUND,
          "the %s knows no job '%s' of yours. Give its number: rollcall jobs shows it, and in Slurm"
                  .formatted(asking.target(), word)
              + " squeue -o \"%i %A\"");
    }
    if (byId && found.size() > 1) {
      throw CommandFailure.usage("several jobs are listed as " + word + ": " + found);
    }
    return new JobId(found.getLast());
  }

  private static boolean isNamed(Job job, String word) {
    return job.getState() == JobState.JOB_STATE_OPEN
        && (word.equals(LATEST) || (NAMED + job.getName()).equalsIgnoreCase(word));
  }

  private static boolean isLookedUp(String word) {
    return word.equals(LATEST)
        || (word.startsWith(NAMED) && word.length() > NAMED.length())
        || JobLabel.isBatchId(base(word));
  }

  private static String base(String word) {
    return word.replaceFirst("\\.[A-Za-z0-9][A-Za-z0-9.-]*$", "");
  }

  private static int ownUid() {
    try {
      return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    } catch (IOException e) {
      throw new CommandFailure(ExitCode.FAILED, "cannot read /proc/self: " + e.getMessage(), e);
    }
  }
}
