package dev.rollcall.settings.container;

import dev.rollcall.settings.FilePosition;
import dev.rollcall.settings.Hostlist;
import java.util.Optional;

/**
 * A part of a file that is for some nodes.
 *
 * @param nodes empty for all
 * @param clean no path of it was left out for a problem
 */
record Layer(Optional<Hostlist> nodes, FilePosition place, SectionValues fields, boolean clean) {
  boolean isFor(String node) {
    return nodes.map(list -> list.contains(node)).orElse(true);
  }
}
