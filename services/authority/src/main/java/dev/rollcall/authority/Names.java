package dev.rollcall.authority;

import dev.rollcall.model.AddressText;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.RoleUri;
import dev.rollcall.model.RoleUri.Role;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;

/**
 * The names in a certificate: the role ({@link RoleUri}), whose name is also the common name, and
 * the holder's addresses.
 *
 * @param ports of a service, on its addresses; of nobody else
 * @param addresses IP addresses, as text
 * @param hosts DNS names
 */
public record Names(
    String cluster,
    Role role,
    String name,
    SortedSet<Integer> ports,
    SortedSet<String> addresses,
    SortedSet<String> hosts) {
  private static final String HOST =
      "(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9-]{0,62})(\\.[A-Za-z0-9]([A-Za-z0-9-]{0,62}))*";

  public Names {
    ports = Collections.unmodifiableSortedSet(new TreeSet<>(ports));
    uris(cluster, role, name, ports);
    // Agents may call a gateway by loopback, on a machine alone; nobody is known by it.
    boolean loopback = role == Role.GATEWAY;
    addresses =
        Collections.unmodifiableSortedSet(
            addresses.stream()
                .map(text -> address(text, loopback))
                .collect(Collectors.toCollection(TreeSet::new)));
    hosts = Collections.unmodifiableSortedSet(new TreeSet<>(hosts));
    for (String host : hosts) {
      if (!host.matches(HOST)) {
        throw new IllegalArgumentException("'" + host + "' is not a DNS name");
      }
    }
    if (role == Role.GATEWAY && addresses.isEmpty() && hosts.isEmpty()) {
      throw new IllegalArgumentException(
          "gateway " + name + " has neither an address nor a DNS name");
    }
    if (role == Role.SERVICE && addresses.isEmpty()) {
      throw new IllegalArgumentException("service " + name + " has no address");
    }
  }

  private static String address(String text, boolean loopback) {
    InetAddress read;
    try {
      read = InetAddress.ofLiteral(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("'" + text + "' is not an IP address", e);
    }
    InetAddress plain = new Endpoint(read, 0).address();
    if ((plain.isLoopbackAddress() && !loopback)
        || plain.isLinkLocalAddress()
        || plain.isAnyLocalAddress()
        || plain.isMulticastAddress()) {
      throw new IllegalArgumentException("'" + text + "' is not the address of a single machine");
    }
    return AddressText.of(plain);
  }

  /** A service has one for each port. */
  private static List<RoleUri> uris(
      String cluster, Role role, String name, SortedSet<Integer> ports) {
    return ports.isEmpty()
        ? List.of(RoleUri.of(cluster, role, name))
        : ports.stream()
            .map(port -> new RoleUri(cluster, role, name, OptionalInt.of(port)))
            .toList();
  }

  X500Name subject() {
    return new X500NameBuilder(BCStyle.INSTANCE).addRDN(BCStyle.CN, name).build();
  }

  GeneralNames alternatives() {
    var names = new ArrayList<GeneralName>();
    uris(cluster, role, name, ports)
        .forEach(uri ->
            names.add(new GeneralName(GeneralName.uniformResourceIdentifier, uri.toString())));
    hosts.forEach(host -> names.add(new GeneralName(GeneralName.dNSName, host)));
    addresses.forEach(address -> names.add(new GeneralName(GeneralName.iPAddress, address)));
    return new GeneralNames(names.toArray(GeneralName[]::new));
  }

  /**
   * Reads them back.
   *
   * @throws IllegalArgumentException naming what is not such a name
   */
  static Names of(X500Name subject, GeneralNames alternatives) {
    var roles = new ArrayList<RoleUri>();
    var addresses = new TreeSet<String>();
    var hosts = new TreeSet<String>();
    for (GeneralName name : alternatives.getNames()) {
      String text = name.getName().toString();
      switch (name.getTagNo()) {
        case GeneralName.uniformResourceIdentifier -> roles.add(role(text));
        case GeneralName.dNSName -> hosts.add(text);
        case GeneralName.iPAddress -> addresses.add(written(name));
        default ->
            throw new IllegalArgumentException(
                "a name of kind " + name.getTagNo() + ", '" + text + "', is not allowed here");
      }
    }
    RoleUri role = oneOf(roles);
    var ports = new TreeSet<Integer>();
    roles.forEach(one -> one.port().ifPresent(ports::add));
    var names = new Names(role.cluster(), role.role(), role.name(), ports, addresses, hosts);
    if (!subject.equals(names.subject())) {
      throw new IllegalArgumentException("the subject '" + subject + "' is not CN=" + names.name());
    }
    return names;
  }

  private static RoleUri role(String uri) {
    return RoleUri.parse(uri)
        .orElseThrow(() -> new IllegalArgumentException("'" + uri + "' is not allowed here"));
  }

  private static String written(GeneralName address) {
    byte[] octets = ASN1OctetString.getInstance(address.getName()).getOctets();
    try {
      return AddressText.of(InetAddress.getByAddress(octets));
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("an address of " + octets.length + " bytes", e);
    }
  }

  private static RoleUri oneOf(List<RoleUri> roles) {
    if (roles.isEmpty()) {
      throw new IllegalArgumentException("no URI rollcall://CLUSTER/ROLE/NAME gives its role");
    }
    RoleUri first = roles.getFirst();
    for (RoleUri role : roles) {
      if (!role.cluster().equals(first.cluster())
          || role.role() != first.role()
          || !role.name().equals(first.name())) {
        throw new IllegalArgumentException("two roles, '" + first + "' and '" + role + "'");
      }
    }
    return first;
  }

  /** For people: {@code node n001 of alps, at 10.20.0.1, n001.alps.example}. */
  @Override
  public String toString() {
    var where = new ArrayList<>(addresses);
    where.addAll(hosts);
    return role.word()
        + " "
        + name
        + " of "
        + cluster
        + (ports.isEmpty() ? "" : ", ports " + ports)
        + (where.isEmpty() ? "" : ", at " + String.join(", ", where));
  }
}
