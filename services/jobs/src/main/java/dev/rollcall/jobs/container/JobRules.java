package dev.rollcall.jobs.container;

import dev.rollcall.jobs.container.ContainerRules.SiteScript;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * The rules of one job's container that are needed after its start. They are kept in a file of the
 * job, so that a change of the site's file does not concern it.
 *
 * @param basePath below which the job's directory is
 * @param epilog the site's program before the container ends
 * @param hidden the paths that the job may not see
 * @param variables further variables for the epilog
 */
record JobRules(
    Path basePath,
    Optional<SiteScript> epilog,
    List<View.At> hidden,
    Map<String, String> variables) {
  private static final String BASE_PATH = "base_path";
  private static final String EPILOG = "epilog";
  private static final String HIDDEN = "hidden.";
  private static final String VARIABLE = "variable.";
  private static final String EPILOG_WAIT = "epilog_wait_ms";

  JobRules {
    hidden = List.copyOf(hidden);
    variables = Map.copyOf(variables);
  }

  static JobRules of(ContainerRules rules, OwnerJob owner) {
    return new JobRules(
        rules.basePath(),
        rules.scripts().epilog(),
        rules.surroundings().view().hidden(owner),
        owner.variables());
  }

  /** Writes a new file, for root only. */
  void write(Path file) throws IOException {
    var values = new Properties();
    values.setProperty(BASE_PATH, basePath.toString());
    if (epilog.isPresent()) {
      values.setProperty(EPILOG, epilog.get().path().toString());
      values.setProperty(EPILOG_WAIT, Long.toString(epilog.get().patience().toMillis()));
    }
    for (int i = 0; i < hidden.size(); i++) {
      values.setProperty(HIDDEN + i, hidden.get(i).path().toString());
    }
    variables.forEach((name, value) -> values.setProperty(VARIABLE + name, value));
    var text = new StringWriter();
    values.store(text, null);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file, text.toString());
  }

  /**
   * Reads a file.
   *
   * @return empty if there is none
   * @throws IOException naming the file, if it is damaged
   */
  static Optional<JobRules> read(Path file) throws IOException {
    var values = new Properties();
    try (Reader text = Files.newBufferedReader(file)) {
      values.load(text);
      Path basePath = Path.of(required(values, BASE_PATH));
      return Optional.of(new JobRules(basePath, epilog(values), hidden(values), variables(values)));
    } catch (NoSuchFileException none) {
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }

  private static Optional<SiteScript> epilog(Properties values) {
    Optional<String> path = Optional.ofNullable(values.getProperty(EPILOG));
    return path.map(script ->
        new SiteScript(
            Path.of(script), Duration.ofMillis(Long.parseLong(required(values, EPILOG_WAIT)))));
  }

  /** Later a path may be missing, whatever the site's file has. */
  private static List<View.At> hidden(Properties values) {
    List<View.At> hidden = new ArrayList<>();
    for (int i = 0; values.containsKey(HIDDEN + i); i++) {
      hidden.add(new View.At(Path.of(required(values, HIDDEN + i)), true));
    }
    return hidden;
  }

  private static Map<String, String> variables(Properties values) {
    Map<String, String> variables = new HashMap<>();
    for (String key : values.stringPropertyNames()) {
      if (key.startsWith(VARIABLE)) {
        variables.put(key.substring(VARIABLE.length()), required(values, key));
      }
    }
    return variables;
  }

  private static String required(Properties values, String key) {
    String value = values.getProperty(key);
    if (value == null) {
      throw new IllegalArgumentException("no " + key);
    }
    return value;
  }
}
