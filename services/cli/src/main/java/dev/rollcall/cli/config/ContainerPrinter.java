package dev.rollcall.cli.config;

import dev.rollcall.cli.text.JsonFields;
import dev.rollcall.settings.container.JobContainer;
import dev.rollcall.settings.container.MountOption;
import dev.rollcall.settings.container.Namespace;
import dev.rollcall.settings.container.NarrowedPath;
import dev.rollcall.settings.container.PrivateDirectory;
import dev.rollcall.settings.container.PrivateDirectory.Disk;
import dev.rollcall.settings.container.PrivateDirectory.Tmpfs;
import dev.rollcall.settings.container.Script;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Prints a job's container, as text and JSON. */
final class ContainerPrinter {
  private static final String UNITS = "kmgt";

  private ContainerPrinter() {}

  /** A line for each thing that there is. */
  static List<String> lines(JobContainer container) {
    if (container.basePath().isEmpty()) {
      return List.of("nothing: there is no base path");
    }
    List<String> lines = new ArrayList<>();
    String made = container.autoBasePath() ? ", made if it is missing" : "";
    container.basePath().ifPresent(path -> lines.add(line("base path", path + made)));
    container.directories().forEach(one -> lines.add(line("private", text(one))));
    container.readOnly().forEach(one -> lines.add(line("read-only", text(one))));
    container.hidden().forEach(one -> lines.add(line("hidden", text(one))));
    if (container.runtimeDirectory()) {
      lines.add(line("runtime", "a directory in memory for XDG_RUNTIME_DIR"));
    }
    container.networkNamespace().ifPresent(path -> lines.add(line("network", path.text())));
    lines.add(line("namespaces", String.join(" ", namespaces(container))));
    add(lines, "init script", container.initScript());
    add(lines, "user ns script", container.userNsScript());
    add(lines, "clone script", container.cloneScript());
    add(lines, "clone epilog", container.cloneEpilog());
    lines.add(line("shared", container.shared() ? "the node's later mounts are seen" : "no"));
    if (container.disableBpfToken()) {
      lines.add(line("bpf token", "none"));
    }
    return lines;
  }

  private static String line(String name, String value) {
    return "%-15s %s".formatted(name, value);
  }

  private static void add(List<String> lines, String name, Optional<Script> script) {
    script.ifPresent(one ->
        lines.add(line(name, one.path() + ", at most " + one.patience().toSeconds() + " s")));
  }

  private static String text(PrivateDirectory directory) {
    var text = new StringBuilder(directory.path().text());
    switch (directory.backing()) {
      case Tmpfs(String data) -> text.append(" tmpfs").append(data.isEmpty() ? "" : " " + data);
      case Disk disk -> {
        disk.basePath().ifPresent(path -> text.append(" below ").append(path));
        disk.mode().ifPresent(mode -> text.append(" mode=").append(Integer.toOctalString(mode)));
        disk.bytes().ifPresent(bytes -> text.append(" size=").append(quantity(bytes)));
        disk.inodes().ifPresent(inodes -> text.append(" nr_inodes=").append(quantity(inodes)));
      }
    }
    List<String> flags = flags(directory);
    return text + (flags.isEmpty() ? "" : " " + String.join(",", flags));
  }

  /** In the largest unit of which it is a whole number. */
  private static String quantity(long number) {
    int thousands = Math.min(Long.numberOfTrailingZeros(number) / 10, UNITS.length());
    String unit = thousands == 0 ? "" : UNITS.substring(thousands - 1, thousands);
    return (number >> (10 * thousands)) + unit;
  }

  private static String text(NarrowedPath narrowed) {
    return narrowed.path() + (narrowed.mayBeMissing() ? ", if it is there" : "");
  }

  private static List<String> flags(PrivateDirectory directory) {
    return directory.flags().stream().map(MountOption::word).toList();
  }

  private static List<String> namespaces(JobContainer container) {
    return container.namespaces().stream().map(ContainerPrinter::word).toList();
  }

  private static String word(Namespace namespace) {
    return namespace.name().toLowerCase(Locale.ROOT);
  }

  static JsonFields json(JobContainer container) {
    return new JsonFields()
        .with("base_path", text(container.basePath()))
        .with("auto_base_path", container.autoBasePath())
        .with("directories", container.directories().stream().map(ContainerPrinter::json).toList())
        .with("init_script", json(container.initScript()))
        .with("clone_ns_script", json(container.cloneScript()))
        .with("clone_ns_epilog", json(container.cloneEpilog()))
        .with("user_ns_script", json(container.userNsScript()))
        .with("shared", container.shared())
        .with("namespaces", namespaces(container))
        .with("disable_bpf_token", container.disableBpfToken())
        .with("read_only", container.readOnly().stream().map(ContainerPrinter::json).toList())
        .with("hidden", container.hidden().stream().map(ContainerPrinter::json).toList())
        .with("runtime_directory", container.runtimeDirectory())
        .with("network_namespace", container.networkNamespace().map(Object::toString).orElse(null));
  }

  private static JsonFields json(PrivateDirectory directory) {
    Disk disk = directory.backing() instanceof Disk own ? own : new Disk(Optional.empty());
    return new JsonFields()
        .with("path", directory.path().text())
        .with("tmpfs", directory.backing() instanceof Tmpfs)
        .with("data", directory.backing() instanceof Tmpfs(String data) ? data : "")
        .with("base_path", text(disk.basePath()))
        .with(
            "mode", disk.mode().isPresent() ? Integer.toOctalString(disk.mode().getAsInt()) : null)
        .with("bytes", disk.bytes().isPresent() ? disk.bytes().getAsLong() : null)
        .with("inodes", disk.inodes().isPresent() ? disk.inodes().getAsLong() : null)
        .with("flags", flags(directory));
  }

  private static JsonFields json(NarrowedPath narrowed) {
    return new JsonFields()
        .with("path", narrowed.path().text())
        .with("may_be_missing", narrowed.mayBeMissing());
  }

  private static @Nullable JsonFields json(Optional<Script> script) {
    if (script.isEmpty()) {
      return null;
    }
    return new JsonFields()
        .with("path", script.get().path().toString())
        .with("wait_seconds", script.get().patience().toSeconds());
  }

  private static @Nullable String text(Optional<Path> path) {
    return path.map(Path::toString).orElse(null);
  }
}
