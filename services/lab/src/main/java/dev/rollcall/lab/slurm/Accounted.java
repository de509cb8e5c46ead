package dev.rollcall.lab.slurm;

import java.time.Duration;

/**
 * A line of sacct(1).
 *
 * @param id of a job or a step, such as "7.extern"
 * @param cpu user and system time together
 * @param maxRss the largest resident set as sacct writes it, such as "1088K"; may be empty
 */
public record Accounted(String id, String state, Duration cpu, String maxRss) {
  static Accounted parse(String line) {
    String[] fields = line.split("\\|", -1);
    return new Accounted(fields[0], fields[1], time(fields[2]), fields[3]);
  }

  /** sacct's [DD-[HH:]]MM:SS.mmm: "00:06.002", "01:02:03". */
  static Duration time(String text) {
    String[] days = text.split("-", 2);
    String[] parts = days[days.length - 1].split(":", -1);
    Duration sum = Duration.ofDays(days.length == 2 ? Long.parseLong(days[0]) : 0);
    double seconds = 0;
    for (String part : parts) {
      seconds = seconds * 60 + Double.parseDouble(part);
    }
    return sum.plusMillis(Math.round(seconds * 1000));
  }
}
