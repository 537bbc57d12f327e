package dev.trestle.server.codec;

import dev.trestle.catalogue.AccessPolicy;
import dev.trestle.model.Limits;
import dev.trestle.model.Ticks;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Codec of stored access policies, the {@code SignedIdentifiers} document. */
public final class AclXml {
    private static final String ROOT = "SignedIdentifiers";

    private AclXml() {}

    /** Parses the document; an empty body means no policies. */
    public static List<AccessPolicy> read(byte[] document, int offset, int length, String allowedPermissions) {
        if (length == 0) {
            return List.of();
        }
        List<AccessPolicy> policies = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (XmlReader.Element identifier :
                XmlReader.read(document, offset, length, ROOT).children()) {
            String id = identifier.required("Id").text();
            if (!identifier.name().equals("SignedIdentifier")
                    || id.isEmpty()
                    || id.length() > Limits.POLICY_ID_UNITS_MAX
                    || !ids.add(id)
                    || ids.size() > Limits.POLICIES_MAX) {
                throw XmlReader.invalid();
            }
            policies.add(policy(id, identifier.child("AccessPolicy"), allowedPermissions));
        }
        return policies;
    }

    private static AccessPolicy policy(String id, Optional<XmlReader.Element> policy, String allowedPermissions) {
        Optional<String> permissions =
                policy.flatMap(element -> element.child("Permission")).map(XmlReader.Element::text);
        if (permissions.isPresent()
                && !permissions.get().chars().allMatch(letter -> allowedPermissions.indexOf(letter) >= 0)) {
            throw XmlReader.invalid();
        }
        return new AccessPolicy(
                id, time(policy, "Start"), time(policy, "Expiry"), permissions.filter(text -> !text.isEmpty()));
    }

    private static OptionalLong time(Optional<XmlReader.Element> policy, String name) {
        String text = policy.flatMap(element -> element.child(name))
                .map(XmlReader.Element::text)
                .orElse("");
        if (text.isEmpty()) {
            return OptionalLong.empty();
        }
        OptionalLong ticks = Ticks.parse(text);
        if (ticks.isEmpty() || ticks.getAsLong() < 0 || ticks.getAsLong() > Ticks.MAX) {
            throw XmlReader.invalid();
        }
        return ticks;
    }

    public static byte[] write(List<AccessPolicy> policies) {
        XmlWriter xml = new XmlWriter(true);
        if (policies.isEmpty()) {
            return xml.empty(ROOT).toBytes();
        }
        xml.open(ROOT);
        for (AccessPolicy policy : policies) {
            xml.open("SignedIdentifier").element("Id", policy.id());
            if (!policy.isBlank()) {
                xml.open("AccessPolicy");
                policy.start().ifPresent(ticks -> xml.element("Start", Ticks.format(ticks, true)));
                policy.expiry().ifPresent(ticks -> xml.element("Expiry", Ticks.format(ticks, true)));
                policy.permissions().ifPresent(text -> xml.element("Permission", text));
                xml.close("AccessPolicy");
            }
            xml.close("SignedIdentifier");
        }
        return xml.close(ROOT).toBytes();
    }
}
