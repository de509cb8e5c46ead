package dev.rollcall.cli.account;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * A column of {@code sacct --parsable2 --noconvert}.
 *
 * @param value the text for an account, with times of this zone
 */
record SacctColumn(String title, BiFunction<Account, ZoneId, String> value) {
  private static final String SEPARATOR = "|";

  /** In the order in which they are printed. */
  private static final List<SacctColumn> ALL =
      List.of(
          new SacctColumn("JobID", (account, _) -> jobId(account)),
          new SacctColumn("JobName", (account, _) -> name(account)),
          new SacctColumn("UID", (account, _) -> Long.toString(account.uid())),
          new SacctColumn("NodeList", (account, _) -> account.node()),
          new SacctColumn("Start", (account, zone) -> time(account.began(), zone)),
          new SacctColumn(
              "End",
              (account, zone) -> account.ended().map(at -> time(at, zone)).orElse("Unknown")),
          new SacctColumn("Elapsed", (account, _) -> elapsed(account)),
          new SacctColumn("State", (account, _) -> state(account)),
          new SacctColumn("UserCPU", (account, _) -> cpu(account.user())),
          new SacctColumn("SystemCPU", (account, _) -> cpu(account.system())),
          new SacctColumn(
              "TotalCPU",
              (account, _) ->
                  cpu(account.user().flatMap(time -> account.system().map(time::plus)))),
          new SacctColumn("MaxRSS", (account, _) -> number(account.memoryPeak())),
          new SacctColumn("MaxDiskRead", (account, _) -> number(account.readBytes())),
          new SacctColumn("MaxDiskWrite", (account, _) -> number(account.writtenBytes())));

  static String header() {
    return ALL.stream().map(SacctColumn::title).collect(Collectors.joining(SEPARATOR));
  }

  /** One line. Times are of this zone, as sacct prints those of the machine's. */
  static String line(Account account, ZoneId zone) {
    return ALL.stream()
        .map(column -> column.value.apply(account, zone))
        .collect(Collectors.joining(SEPARATOR));
  }

  private static String jobId(Account account) {
    return account.job() + account.step().map(step -> "." + step).orElse("");
  }

  /** Slurm calls the extern step extern, so the name tells a session from its step. */
  private static String name(Account account) {
    return account.session().map(number -> "session." + number).or(account::step).orElse("");
  }

  private static String time(Instant at, ZoneId zone) {
    return DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss").withZone(zone).format(at);
  }

  /** End minus Start as they are printed; 0 if the node's clock was set back in between. */
  private static String elapsed(Account account) {
    return account
        .ended()
        .map(end -> Math.max(0, end.getEpochSecond() - account.began().getEpochSecond()))
        .map(seconds -> clock(Duration.ofSeconds(seconds)))
        .orElse("");
  }

  private static String state(Account account) {
    if (account.ended().isEmpty()) {
      return "RUNNING";
    }
    return account.oomKills() > 0 ? "OUT_OF_MEMORY" : "COMPLETED";
  }

  /** {@code [DD-]HH:MM:SS}. */
  private static String clock(Duration time) {
    String days = time.toDays() > 0 ? "%02d-".formatted(time.toDays()) : "";
    return days
        + "%02d:%02d:%02d"
            .formatted(time.toHoursPart(), time.toMinutesPart(), time.toSecondsPart());
  }

  /** {@code MM:SS.mmm} up to an hour, then as {@link #clock}; empty if it is not counted. */
  private static String cpu(Optional<Duration> counted) {
    return counted
        .map(time ->
            time.toHours() > 0
                ? clock(time)
                : "%02d:%02d.%03d"
                    .formatted(time.toMinutesPart(), time.toSecondsPart(), time.toMillisPart()))
        .orElse("");
  }

  private static String number(Optional<Long> value) {
    return value.map(Object::toString).orElse("");
  }
}
