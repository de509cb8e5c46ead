package dev.rollcall.wire;

import dev.rollcall.model.ClusterPrefixes;
import dev.rollcall.model.Prefix;
import dev.rollcall.proto.roll.v1.AddressPrefix;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;

/** Maps prefixes of addresses. */
public final class PrefixMapper {
  private PrefixMapper() {}

  /**
   * @throws BadWordException naming the field, and what is wrong with it
   */
  public static ClusterPrefixes toModel(
      dev.rollcall.proto.roll.v1.ClusterPrefixes from, String field) {
    int count = from.getPrefixesCount();
    if (count > ClusterPrefixes.MOST) {
      throw new BadWordException(field, count + " prefixes are more than " + ClusterPrefixes.MOST);
    }
    Set<Prefix> all = new HashSet<>();
    for (int i = 0; i < count; i++) {
      AddressPrefix prefix = from.getPrefixes(i);
      String at = field + "[" + i + "]";
      var address = CallerMapper.address(prefix.getAddress(), at + ".address");
      all.add(CallerMapper.checked(at, () -> new Prefix(address, prefix.getLength())));
    }
    return CallerMapper.checked(field, () -> new ClusterPrefixes(all));
  }

  /** In one order, so that the same prefixes are the same message. */
  public static dev.rollcall.proto.roll.v1.ClusterPrefixes toProto(ClusterPrefixes from) {
    var to = dev.rollcall.proto.roll.v1.ClusterPrefixes.newBuilder();
    from.all().stream()
        .sorted(Comparator.comparing(Prefix::toString))
        .forEach(prefix ->
            to.addPrefixes(
                AddressPrefix.newBuilder()
                    .setAddress(CallerMapper.bytes(prefix.address()))
                    .setLength(prefix.length())));
    return to.build();
  }
}
