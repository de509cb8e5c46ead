package dev.rollcall.settings.container;

import dev.rollcall.settings.Hostlist;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Divides the nodes of a file by the parts of it that are for them. */
final class NodeSets {
  private final Layers layers;

  /** By which parts count, as bits. The first is that of all nodes without a name. */
  private final Map<BitSet, List<String>> names = new LinkedHashMap<>();

  NodeSets(Layers layers) {
    this.layers = layers;
    List<Layer> parts = layers.parts();
    var everywhere = new BitSet();
    Map<String, BitSet> byName = new LinkedHashMap<>();
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i).nodes().isEmpty()) {
        everywhere.set(i);
      }
    }
    for (int i = 0; i < parts.size(); i++) {
      for (String name : parts.get(i).nodes().map(Hostlist::names).orElse(List.of())) {
        byName.computeIfAbsent(name, _ -> (BitSet) everywhere.clone()).set(i);
      }
    }
    names.put(everywhere, new ArrayList<>());
    byName.forEach((name, bits) -> names.computeIfAbsent(bits, _ -> new ArrayList<>()).add(name));
  }

  /** The parts that count for some node, once each. */
  List<List<Layer>> combinations() {
    return names.keySet().stream().map(this::counting).distinct().toList();
  }

  private List<Layer> counting(BitSet bits) {
    return layers.counting(bits::get);
  }

  List<NodeSet> sets() {
    Map<JobContainer, List<String>> together = new LinkedHashMap<>();
    names.forEach((bits, these) -> {
      if (!these.isEmpty()) {
        together.computeIfAbsent(container(bits), _ -> new ArrayList<>()).addAll(these);
      }
    });
    List<NodeSet> sets = new ArrayList<>();
    together.forEach(
        (container, these) -> sets.add(new NodeSet(Hostlist.fold(these), these.size(), container)));
    sets.add(new NodeSet("", 0, container(names.keySet().iterator().next())));
    return sets;
  }

  private JobContainer container(BitSet bits) {
    return layers.together(counting(bits)).container();
  }
}
