package dev.rollcall.agent;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With directories as sysfs has them. */
class NodeAddressesTest {
  @TempDir Path links = Path.of("unset");

  private void link(String name, String... files) throws IOException {
    for (String file : files) {
      Files.createDirectories(links.resolve(name).resolve(file));
    }
  }

  private boolean staysOnNode(String name) {
    return NodeAddresses.staysOnNode(links.resolve(name));
  }

  @Test
  void theAddressOfABridgeOfContainersOrVirtualMachinesIsNotSent() throws IOException {
    link("veth1", "brport");
    link("vnet1", "tun_flags");
    link("docker0", "bridge", "brif");
    link("cni0", "bridge", "brif/veth1", "lower_veth1");
    link("virbr0", "bridge", "brif/vnet1");
    assertTrue(staysOnNode("docker0"));
    assertTrue(staysOnNode("cni0"));
    assertTrue(staysOnNode("virbr0"));
  }

  @Test
  void otherLinksAndBridgesWithANetworkCardLeadToOtherMachines() throws IOException {
    link("eth0", "device");
    link("bond0", "bonding", "lower_eth0");
    link("eth0.7", "lower_eth0");
    link("br0", "bridge", "brif/eth0", "brif/veth1");
    link("br1", "bridge", "brif/bond0");
    link("br2", "bridge", "brif/eth0.7");
    link("veth9", "brport");
    for (String name : new String[] {"eth0", "bond0", "br0", "br1", "br2", "veth9", "absent"}) {
      assertFalse(staysOnNode(name), name);
    }
  }
}
