package dev.rollcall.jobs.journal;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.Allocation;
import dev.rollcall.port.Jobs.JobSpec;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * One line of the journal: the CRC-32C of the rest in hexadecimal, a space, the rest, a newline.
 * The rest has a word for the kind of the line, and then the job.
 */
public sealed interface JobJournalLine {
  /** What follows the checksum. */
  String text();

  JobId job();

  /**
   * The job was begun in this boot: {@code begin JOB UID GID START BOOT}, and the words of its
   * allocation, of which older agents wrote none.
   */
  record Begin(JobSpec spec, String bootId) implements JobJournalLine {
    @Override
    public JobId job() {
      return spec.id();
    }

    @Override
    public String text() {
      String begin =
          "begin %s %d %d %s %s"
              .formatted(spec.id(), spec.uid(), spec.gid(), spec.startedAt(), bootId);
      return words(begin, AllocationText.of(spec.allocation()));
    }
  }

  /**
   * The job has this allocation now, {@code allocation JOB WORDS}; or a step has these limits and
   * devices of its own, {@code step JOB STEP WORDS}.
   */
  record Allocated(JobId job, Optional<StepId> step, Allocation allocation)
      implements JobJournalLine {
    @Override
    public String text() {
      String what = step.map(it -> "step " + job + " " + it).orElse("allocation " + job);
      return words(what, AllocationText.of(allocation));
    }
  }

  private static String words(String first, List<String> others) {
    return others.isEmpty() ? first : first + " " + String.join(" ", others);
  }

  /** Session numbers up to this one may have been given out: {@code sessions JOB NUMBER}. */
  record Sessions(JobId job, long upTo) implements JobJournalLine {
    @Override
    public String text() {
      return "sessions " + job + " " + upTo;
    }
  }

  /**
   * The job is in this state now: {@code suspended JOB} when its processes are stopped or about to
   * be, {@code resumed JOB}, {@code closing JOB} when its processes are being killed, {@code end
   * JOB} when nothing of it is left.
   *
   * @param state not BEGINNING
   */
  record Became(JobId job, JobState state) implements JobJournalLine {
    private static final Map<JobState, String> WORDS =
        Map.of(
            JobState.SUSPENDED, "suspended",
            JobState.OPEN, "resumed",
            JobState.CLOSING, "closing",
            JobState.CLOSED, "end");

    @Override
    public String text() {
      return WORDS.get(state) + " " + job;
    }
  }

  /**
   * A later version wrote it, before a downgrade: it stays as it is.
   *
   * @param known what this version would have written, if it knows the kind of the line
   */
  record Later(JobId job, String text, Optional<JobJournalLine> known) implements JobJournalLine {}

  public default byte[] bytes() {
    return (checksum(text()) + " " + text() + "\n").getBytes(US_ASCII);
  }

  /** Reads a line without its newline; empty if its checksum is wrong or it is none of ours. */
  public static Optional<JobJournalLine> parse(String line) {
    if (line.length() < 10 || line.charAt(8) != ' ' || !isPrintable(line)) {
      return Optional.empty();
    }
    String text = line.substring(9);
    if (!checksum(text).equals(line.substring(0, 8))) {
      return Optional.empty();
    }
    String[] words = text.split(" ", -1);
    try {
      JobId job = JobId.parse(words[1]);
      Optional<JobJournalLine> known = fields(job, words);
      return known.filter(each -> each.text().equals(text)).isPresent()
          ? known
          : Optional.of(new Later(job, text, known));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }

  /** All that is written is; what is not would be written otherwise than it was read. */
  private static boolean isPrintable(String line) {
    return line.chars().allMatch(each -> each >= ' ' && each < 0x7f);
  }

  private static Optional<JobJournalLine> fields(JobId job, String[] words) {
    try {
      return Optional.ofNullable(
          switch (words[0]) {
            case "begin" -> new Begin(spec(job, words), words[5]);
            case "allocation" ->
                new Allocated(job, Optional.empty(), AllocationText.allocation(after(words, 2)));
            case "step" ->
                new Allocated(
                    job,
                    Optional.of(new StepId(words[2])),
                    AllocationText.allocation(after(words, 3)));
            case "sessions" -> new Sessions(job, Long.parseLong(words[2]));
            case "suspended" -> new Became(job, JobState.SUSPENDED);
            case "resumed" -> new Became(job, JobState.OPEN);
            case "closing" -> new Became(job, JobState.CLOSING);
            case "end" -> new Became(job, JobState.CLOSED);
            default -> null;
          });
    } catch (IllegalArgumentException | DateTimeException | IndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }

  private static JobSpec spec(JobId job, String[] words) {
    return new JobSpec(
        job,
        Integer.parseInt(words[2]),
        Integer.parseInt(words[3]),
        Instant.parse(words[4]),
        AllocationText.allocation(after(words, 6)));
  }

  private static List<String> after(String[] words, int first) {
    return Arrays.asList(words).subList(first, words.length);
  }

  private static String checksum(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    return HexFormat.of().toHexDigits((int) crc.getValue());
  }
}
