package dev.rollcall.cli.ask;

import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.model.NodeName;
import dev.rollcall.settings.Hostlist;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Nodes as they are named on the command line: one, or a host list, {@code node[01-18,20]}.
 *
 * @param names in the list's order, each once
 */
public record NodeNames(List<String> names) {
  public NodeNames {
    names = List.copyOf(names);
  }

  /**
   * Reads one name or a list.
   *
   * @throws IllegalArgumentException naming what is neither
   */
  public static NodeNames parse(String text) {
    if (!text.contains("[") && !text.contains(",")) {
      return new NodeNames(List.of(new NodeName(text).text()));
    }
    return new NodeNames(
        List.copyOf(
            Hostlist.parse(text).names().stream()
                .map(name -> new NodeName(name).text())
                .collect(Collectors.toCollection(LinkedHashSet::new))));
  }

  public boolean isOne() {
    return names.size() == 1;
  }

  /**
   * Refuses a name that no node has.
   *
   * @throws CommandFailure naming those that are not there, as a list
   */
  public void areAmong(Collection<String> nodes) {
    List<String> missing = names.stream().filter(name -> !nodes.contains(name)).toList();
    if (!missing.isEmpty()) {
      throw new CommandFailure(
          ExitCode.NOT_FOUND, "no node is named '" + Hostlist.fold(missing) + "'");
    }
  }
}
